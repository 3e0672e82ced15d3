import type { Terminal } from '@xterm/xterm';
import { styleNonce } from '../kit/style-nonce.ts';

/** The part of xterm that draws cells. The option of xterm for another document does not affect this part. */
type Inside = {
  _core: { _renderService: { _renderer: { value: { _rowFactory: { _document: Pick<Document, 'createElement'> } } } } };
};

/**
 * Opens a terminal on a page whose policy allows styles only with a nonce, which xterm does not support. All style
 * elements that xterm creates during this call get the nonce. Styles that it would write as an attribute are set as
 * properties instead.
 */
export function openWithStyles(terminal: Terminal, host: HTMLElement): void {
  document.createElement = create;
  try {
    terminal.open(host);
  } finally {
    // After this, the method of the prototype is used again.
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
