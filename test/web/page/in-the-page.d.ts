// What functions that run in the browser use of it. The whole of the DOM's types would collide with those of Node, on which the
// tests themselves run.
interface PageElement extends Node {
  readonly tagName: string;
  readonly outerHTML: string;
  readonly textContent: string;
  readonly scrollWidth: number;
  readonly shadowRoot: { readonly activeElement: PageElement | null } | null;
  getAttribute(name: string): string | null;
  getBoundingClientRect(): { readonly width: number; readonly height: number };
}

interface Node {
  readonly nodeType: number;
}

interface PageCanvas extends PageElement {
  getContext(kind: '2d'): {
    fillStyle: string;
    fillRect(x: number, y: number, width: number, height: number): void;
    getImageData(x: number, y: number, width: number, height: number): { readonly data: Iterable<number> };
  } | null;
}

declare const document: Node & {
  readonly activeElement: PageElement | null;
  readonly body: PageElement;
  readonly documentElement: PageElement;
  hasFocus: () => boolean;
  createElement(name: 'canvas'): PageCanvas;
  getElementsByTagName(name: string): readonly PageElement[];
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): readonly PageElement[];
};

declare const window: { readonly innerWidth: number };

declare function getComputedStyle(element: PageElement): {
  readonly backgroundColor: string;
  readonly outlineStyle: string;
  readonly outlineWidth: string;
  readonly boxShadow: string;
};

declare function requestAnimationFrame(painted: () => void): number;

declare class MutationObserver {
  constructor(heard: () => void);
  observe(node: Node, options: Readonly<Record<string, boolean>>): void;
}

declare class Notification extends EventTarget {
  static readonly permission: string;
  readonly title: string;
  readonly body: string;
  constructor(title: string, options?: object);
}
