// Light or dark theme: that of the system, until the user chooses.

export type Theme = "light" | "dark";

export class Themes {
  private followers: (() => void)[] = [];
  private chosen: Theme | null = null;
  private readonly system = matchMedia("(prefers-color-scheme: dark)");

  constructor() {
    this.system.addEventListener("change", () => this.apply());
    this.apply();
  }

  get current(): Theme {
    return this.chosen ?? (this.system.matches ? "dark" : "light");
  }
  choose(theme: Theme): void {
    this.chosen = theme;
    this.apply();
  }
  follow(follower: () => void): void {
    this.followers.push(follower);
  }
  // A color of the style sheet, by its name.
  colour(name: string): string {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  }

  private apply(): void {
    document.documentElement.dataset["theme"] = this.current;
    for (const follower of this.followers) follower();
  }
}
