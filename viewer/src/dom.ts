// Small helpers for elements and numbers on the page.

type Child = Node | string;

// An element with attributes (strings) and listeners (functions, by the event's name).
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | ((event: Event) => void)> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (name === "style") made.style.cssText = value; // as an attribute the page's security policy forbids it
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

// A button that stays pressed.
export function switchButton(label: string, title: string, on: boolean, set: (on: boolean) => void): HTMLButtonElement {
  const button = element("button", { type: "button", class: "switch", title, "aria-pressed": String(on) }, label);
  button.addEventListener("click", () => {
    const now = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(now));
    set(now);
  });
  return button;
}

export function icon(path: string): SVGSVGElement {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const drawn = document.createElementNS(space, "path");
  drawn.setAttribute("d", path);
  svg.append(drawn);
  return svg;
}

// Five digits, in the shortest form.
export function short(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-4) return value.toExponential(3).replace("e+", "e");
  return String(Number(value.toPrecision(5)));
}

// Three digits with a prefix: "10.3 kN".
export function withPrefix(value: number, unit: string): string {
  const size = Math.abs(value);
  const prefixes: [number, string][] = [
    [1e6, "M"],
    [1e3, "k"],
    [1, ""],
    [1e-3, "m"],
    [1e-6, "\u00b5"],
  ];
  const [scale, prefix] = prefixes.find(([one]) => size >= 0.9995 * one) ?? [1, ""];
  return `${Number((value / scale).toPrecision(3))} ${prefix}${unit}`;
}

// As many decimals as steps of this size need.
export function withDecimalsOf(step: number): (value: number) => string {
  const decimals = Math.min(Math.max(Math.ceil(-Math.log10(Math.max(step, 1e-12)) - 1e-9), 0), 9);
  return (value) => value.toFixed(decimals);
}
