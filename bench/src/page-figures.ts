import type { Browser, Page } from 'playwright-core';

/** What a user who opens a page notices. Times are milliseconds since the request for the page. */
export type PageFigures = {
  firstContent: number;
  /** The main content of the screen is visible, and the page responds. */
  ready: number;
  /** Cumulative layout shift, as browsers count it: 0 if nothing moved. */
  shift: number;
  /** Transferred bytes of all requests until then. */
  bytes: number;
  /** The larger of the numbers at its beginning and at its end. */
  nodes: number;
};

export type Screen = {
  url: string;
  cookie: string;
  shows: string;
  /** What is at the end of a page that has most of its content only while the user is near. */
  ends?: string;
};

/** Bytes per second and milliseconds: a bad mobile connection. */
const slowNetwork = { offline: false, latency: 400, downloadThroughput: 50 * 1024, uploadThroughput: 50 * 1024 };

/** Recorded by the page itself from the start. */
const watchLayout = `
  window.layoutShift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.layoutShift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
`;

/**
 * Notes when the main content is there. The driver itself looks only twice a second. A text is looked for in the main
 * part, because the page also brings data.
 */
const watchContent = (shows: string) => `
  const isShown = ${
    shows.startsWith('text=')
      ? `() => document.querySelector('main')?.textContent.includes(${JSON.stringify(shows.slice(5))})`
      : `() => document.querySelector(${JSON.stringify(shows)})?.checkVisibility()`
  };
  new MutationObserver((_changes, observer) => {
    if (!isShown()) return;
    window.shownAt = performance.now();
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true, attributes: true, characterData: true });
`;

const readFigures = `({
  firstContent: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
  shift: window.layoutShift,
  nodes: document.querySelectorAll('*').length,
})`;

/** Uses a browser with an empty cache. */
export async function figuresOfPage(browser: Browser, screen: Screen, isSlow: boolean): Promise<PageFigures> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const [name = '', value = ''] = screen.cookie.split('=');
    // For the whole service: a cookie with the page's own path would be sent only to pages beside it.
    if (name) await context.addCookies([{ name, value, url: new URL(screen.url).origin }]);
    const page = await context.newPage();
    await page.addInitScript(watchLayout);
    await page.addInitScript(watchContent(screen.shows));
    const received = await countBytes(page, isSlow);
    await page.goto(screen.url, { waitUntil: 'commit' });
    await waitFor(page, screen.shows);
    const ready = Number(await page.evaluate('window.shownAt ?? performance.now()'));
    const bytes = received();
    const figures = (await page.evaluate(readFigures)) as Omit<PageFigures, 'ready' | 'bytes'>;
    const nodes = screen.ends === undefined ? 0 : await nodesAtEnd(page, screen.ends);
    return { ...figures, nodes: Math.max(figures.nodes, nodes), ready, bytes };
  } finally {
    await context.close();
  }
}

/** An error says what the page shows instead: a build of the dashboard may be older than the screen. */
async function waitFor(page: Page, wanted: string): Promise<void> {
  try {
    await page.locator(wanted).first().waitFor({ timeout: 120_000 });
  } catch (error) {
    const shown = await page.locator('body').innerText();
    throw new Error(`${page.url()} does not show ${wanted}, but: ${shown.slice(0, 500)}`, { cause: error });
  }
}

/** Scrolls as a user does who presses End again and again: the page grows while its parts arrive. */
async function nodesAtEnd(page: Page, end: string): Promise<number> {
  await page.evaluate(
    'window.scrolling = setInterval(() => window.scrollTo(0, document.documentElement.scrollHeight), 100)',
  );
  await waitFor(page, end);
  return Number(await page.evaluate('clearInterval(window.scrolling), document.querySelectorAll("*").length'));
}

async function countBytes(page: Page, isSlow: boolean): Promise<() => number> {
  const protocol = await page.context().newCDPSession(page);
  let bytes = 0;
  protocol.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await protocol.send('Network.enable');
  if (isSlow) await protocol.send('Network.emulateNetworkConditions', slowNetwork);
  return () => bytes;
}
