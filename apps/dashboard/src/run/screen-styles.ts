import type { Terminal } from '@xterm/xterm';
import { styleNonce } from '../kit/style-nonce.ts';

/** The part of xterm that draws cells. Its own option for another document does not reach it. */
type Inside = {
  _core: { _renderService: { _renderer: { value: { _rowFactory: { _document: Pick<Document, 'createElement'> } } } } };
};

/**
 * Opens a terminal on a page whose policy allows styles only with a nonce, of which xterm knows nothing: its style
 * elements, all created here, get the nonce, and a style that it writes as an attribute is set as a property instead.
 */
export function openWithStyles(terminal: Terminal, host: HTMLElement): void {
  document.createElement = create;
  try {
    terminal.open(host);
  } finally {
    // The prototype's own is back.
    Reflect.deleteProperty(document, 'createElement');
  }
  (terminal as unknown as Inside)._core._renderService._renderer.value._rowFactory._document = {
    createElement: create,
  };
}

function create(tag: string): HTMLElement {
  const element = Document.prototype.createElement.call(document, tag);
  if (tag === 'style') element.nonce = styleNonce;
  if (tag === 'span') element.setAttribute = withoutInlineStyle;
  return element;
}

function withoutInlineStyle(this: HTMLElement, name: string, value: string): void {
  if (name === 'style') this.style.cssText = value;
  else Element.prototype.setAttribute.call(this, name, value);
}
