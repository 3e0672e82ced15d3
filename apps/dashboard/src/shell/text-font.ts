import textFont from '@fontsource-variable/geist/files/geist-latin-wght-normal.woff2';

/** Milliseconds since the request for the page. Code that arrives later has come over a slow line. */
const slowMs = 2_000;

/**
 * Loads the font of the dashboard, which is in the package itself: no request leaves the service. `optional` means that
 * text never changes its font while somebody reads: if the file comes too late, this page uses the system's font. So on
 * a slow line, the file is not requested at all, because it would only delay the content.
 */
export function loadTextFont(): void {
  if (performance.now() > slowMs) return;
  const font = new FontFace('Geist', `url(${textFont})`, { weight: '100 900', display: 'optional' });
  document.fonts.add(font);
  // If it cannot be loaded, the system's font is used.
  font.load().catch(() => undefined);
}
