// The switch in the corner, between light and dark.
import { element, icon } from "./dom";
import type { Themes } from "./theme";

const sun = "M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM11 1h2v3h-2zM11 20h2v3h-2zM1 11h3v2H1zM20 11h3v2h-3zM4.2 5.6l1.4-1.4 2.1 2.1-1.4 1.4zM16.3 17.7l1.4-1.4 2.1 2.1-1.4 1.4zM4.2 18.4l2.1-2.1 1.4 1.4-2.1 2.1zM16.3 6.3l2.1-2.1 1.4 1.4-2.1 2.1z";
const moon = "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z";

export function themeButton(themes: Themes): HTMLButtonElement {
  const button = element("button", { type: "button", class: "theme", click: () => themes.choose(themes.current === "dark" ? "light" : "dark") });
  const dress = () => {
    const isDark = themes.current === "dark";
    button.replaceChildren(icon(isDark ? sun : moon));
    button.setAttribute("aria-label", isDark ? "Switch to light" : "Switch to dark");
    button.title = isDark ? "Light" : "Dark";
  };
  themes.follow(dress);
  dress();
  return button;
}
