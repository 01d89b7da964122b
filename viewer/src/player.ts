// The current time and playback: all other parts of the page follow it.

export class Player {
  time: number;
  playing = false;
  speed = 1;
  loop = true;
  private followers: (() => void)[] = [];
  private last = 0; // last sample found: the next one is usually near

  constructor(readonly times: Float64Array) {
    this.time = this.first;
  }

  get first(): number {
    return this.times.length > 0 ? this.times[0]! : 0;
  }
  get end(): number {
    return this.times.length > 0 ? this.times[this.times.length - 1]! : 0;
  }
  get canMove(): boolean {
    return this.end > this.first;
  }

  follow(follower: () => void): void {
    this.followers.push(follower);
  }
  tell(): void {
    for (const follower of this.followers) follower();
  }

  setTime(time: number): void {
    this.time = Math.min(Math.max(time, this.first), this.end);
    this.tell();
  }
  toggle(): void {
    this.playing = this.canMove && !this.playing;
    if (this.playing && this.time >= this.end) this.time = this.first;
    this.tell();
  }
  pause(): void {
    this.playing = false;
    this.tell();
  }
  // Moves by `count` samples.
  step(count: number): void {
    if (this.times.length === 0) return;
    this.playing = false;
    const { index, fraction } = this.sample();
    const from = count < 0 && fraction > 0 ? index + 1 : index;
    const to = Math.min(Math.max(from + count, 0), this.times.length - 1);
    this.setTime(this.times[to]!);
  }
  advance(seconds: number): void {
    let time = this.time + seconds * this.speed;
    if (time > this.end) {
      if (this.loop) time = this.first + ((time - this.first) % (this.end - this.first));
      else this.playing = false;
    }
    this.setTime(time);
  }

  // The sample at or before the time, and the fraction to the next one.
  sample(): { index: number; fraction: number } {
    return this.sampleAt(this.time);
  }
  sampleAt(time: number): { index: number; fraction: number } {
    const times = this.times;
    const n = times.length;
    if (n === 0) return { index: 0, fraction: 0 };
    let low = this.last;
    if (!(times[low]! <= time && (low + 1 >= n || time < times[low + 1]!))) {
      low = 0;
      let high = n; // times[low] <= time < times[high], where they are
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (times[middle]! <= time) low = middle;
        else high = middle;
      }
      this.last = low;
    }
    if (low + 1 >= n) return { index: low, fraction: 0 };
    const span = times[low + 1]! - times[low]!;
    return { index: low, fraction: span > 0 ? Math.min(Math.max((time - times[low]!) / span, 0), 1) : 0 };
  }
}
