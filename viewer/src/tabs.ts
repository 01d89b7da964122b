// Panels of which one is visible, following the accessibility pattern of tabs.
import { element } from "./dom";

export class Tabs {
  readonly root: HTMLElement;
  private readonly tabs: HTMLButtonElement[];

  constructor(private readonly panels: [string, HTMLElement][]) {
    this.tabs = panels.map(([name, panel]) => {
      panel.id = `panel-${name.toLowerCase()}`;
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-label", name);
      panel.classList.add("panel");
      return element("button", { type: "button", role: "tab", "aria-controls": panel.id, click: () => this.open(name) }, name);
    });
    const bar = element("div", { class: "tabs", role: "tablist", "aria-label": "Panels" }, ...this.tabs);
    bar.addEventListener("keydown", (event) => {
      const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      if (step === 0) return;
      const now = this.tabs.findIndex((tab) => tab === document.activeElement);
      const next = (now + step + this.tabs.length) % this.tabs.length;
      this.open(this.panels[next]![0]);
      this.tabs[next]!.focus();
    });
    this.root = element("aside", { class: "side" }, bar, ...panels.map(([, panel]) => panel));
    this.open(panels[0]![0]);
  }

  open(name: string): void {
    this.panels.forEach(([other, panel], k) => {
      const isOpen = other === name;
      panel.hidden = !isOpen;
      this.tabs[k]!.setAttribute("aria-selected", String(isOpen));
      this.tabs[k]!.tabIndex = isOpen ? 0 : -1;
    });
  }
}
