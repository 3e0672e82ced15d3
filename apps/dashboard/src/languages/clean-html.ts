/** Permitted elements, which only format text. Any other element is replaced with its text. */
const permitted = new Set(
  'A B BLOCKQUOTE BR CODE DEL EM H1 H2 H3 H4 H5 H6 HR I LI OL P PRE SPAN STRONG TABLE TBODY TD TH THEAD TR UL'.split(
    ' ',
  ),
);
const dropped = new Set('IFRAME MATH NOSCRIPT OBJECT SCRIPT STYLE SVG TEMPLATE'.split(' '));

/**
 * Cleans the HTML of a language server's documentation: removes everything that could run, load or send something. The
 * server runs in a workspace, where any command could replace it.
 */
export function cleanHtml(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const element of [...body.querySelectorAll('*')]) {
    if (dropped.has(element.tagName.toUpperCase())) element.remove();
    else if (!permitted.has(element.tagName)) element.replaceWith(...element.childNodes);
    else cleanAttributes(element);
  }
  return body.innerHTML;
}

function cleanAttributes(element: Element): void {
  const href = element.tagName === 'A' ? (element.getAttribute('href') ?? '') : '';
  const classes = element.tagName === 'SPAN' ? (element.getAttribute('class') ?? '') : '';
  for (const { name } of [...element.attributes]) element.removeAttribute(name);
  if (/^https?:\/\//i.test(href)) {
    element.setAttribute('href', href);
    element.setAttribute('target', '_blank');
    element.setAttribute('rel', 'noopener noreferrer nofollow');
  }
  // Classes are kept, because the editor itself adds them for the colours of code.
  if (/^[\w\s\u0370-\u03ff-]+$/.test(classes)) element.setAttribute('class', classes);
}
