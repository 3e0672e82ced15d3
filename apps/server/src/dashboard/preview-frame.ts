/**
 * Shows a document of a project next to the editor while it is edited. The dashboard's policy would also apply to a
 * frame with inline content, and block every style in it. So the frame is a separate page with its own policy. It has
 * no origin (`sandbox`), and so neither cookies nor storage. It loads nothing and sends nothing. Files of the project
 * that the document refers to arrive as `parts`. The document is in a second frame, whose scripts cannot reach the
 * first.
 */
const script = `addEventListener('message', ({ source, data }) => {
  if (source !== parent || typeof data?.page !== 'string') return;
  const page = new DOMParser().parseFromString(data.page, 'text/html');
  const replace = (elements, attribute, put) => {
    for (const element of page.querySelectorAll(elements)) {
      const part = data.parts[element.getAttribute(attribute)];
      if (typeof part === 'string') put(element, part);
    }
  };
  replace('link[rel~=stylesheet][href]', 'href', (link, text) => {
    const style = page.createElement('style');
    style.textContent = text;
    link.replaceWith(style);
  });
  replace('script[src]', 'src', (script, text) => {
    script.removeAttribute('src');
    script.textContent = text;
  });
  replace('img[src]', 'src', (picture, url) => picture.setAttribute('src', url));
  document.querySelector('iframe').srcdoc = '<!doctype html>' + page.documentElement.outerHTML;
});
parent.postMessage('ready', '*');`;

export const previewFrame = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Preview</title>
<style>html, body, iframe { display: block; box-sizing: border-box; width: 100%; height: 100%; margin: 0; border: 0; background: #fff }</style>
</head>
<body>
<iframe sandbox="allow-scripts" title="Preview"></iframe>
<script>${script}</script>
</body>
</html>
`;

export const previewHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    'sandbox allow-scripts',
    "default-src 'none'",
    "script-src 'unsafe-inline'",
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    'media-src data:',
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join('; '),
  'x-frame-options': 'SAMEORIGIN',
  'cache-control': 'public, max-age=3600',
};
