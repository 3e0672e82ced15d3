import { styleNonce } from '../kit/style-nonce.ts';

/**
 * The page's document for xterm, which knows nothing of our policy for styles: its style elements get the page's nonce,
 * and a style that it writes as an attribute is set as a property instead.
 */
export function screenDocument(): Document {
  return new Proxy(document, {
    get(target, name) {
      if (name === 'createElement') return create;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function create(tag: string): HTMLElement {
  const element = document.createElement(tag);
  if (tag === 'style') element.nonce = styleNonce;
  if (tag === 'span') element.setAttribute = withoutInlineStyle;
  return element;
}

function withoutInlineStyle(this: HTMLElement, name: string, value: string): void {
  if (name === 'style') this.style.cssText = value;
  else Element.prototype.setAttribute.call(this, name, value);
}
