type Cookie = { name: string; value: string; path: string };

/** An answer as a browser without scripts sees it. */
export type Page = { url: string; status: number; headers: Headers; text: string };

type Form = { action: string; fields: Record<string, string>; buttons: { name: string; value: string }[] };

/**
 * A browser without scripts. It keeps cookies by path, follows redirects within the service, and stops at the first one
 * that leads elsewhere. It fills in the forms and presses the buttons that the HTML contains.
 */
export function pageBrowser(origin: string, { language = 'en-GB,en;q=0.9' } = {}) {
  const jar = new Map<string, Cookie>();

  function keep(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      const of = (key: string) => attributes.find((one) => one.toLowerCase().startsWith(`${key}=`))?.split('=')[1];
      const path = of('path') ?? '/';
      const expires = of('expires');
      const isOver = value === '' || of('max-age') === '0' || (expires && Date.parse(expires) < Date.now());
      if (isOver) jar.delete(`${name} ${path}`);
      else jar.set(`${name} ${path}`, { name, value, path });
    }
  }

  function cookiesFor(pathname: string): string {
    const isBelow = ({ path }: Cookie) => path === '/' || pathname === path || pathname.startsWith(`${path}/`);
    return [...jar.values()]
      .filter(isBelow)
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  }

  async function request(url: string, body?: URLSearchParams, headers: Record<string, string> = {}): Promise<Page> {
    const response = await fetch(url, {
      method: body ? 'POST' : 'GET',
      redirect: 'manual',
      headers: {
        accept: 'text/html,application/xhtml+xml',
        'accept-language': language,
        cookie: cookiesFor(new URL(url).pathname),
        ...(body && { origin, 'sec-fetch-site': 'same-origin' }),
        ...headers,
      },
      ...(body && { body }),
    });
    keep(response.headers);
    return { url, status: response.status, headers: response.headers, text: await response.text() };
  }

  /** Follows redirects. Returns the last page of the service, or the redirect that leads elsewhere. */
  async function follow(first: Page): Promise<Page> {
    let page = first;
    for (let hops = 0; hops < 10; hops++) {
      const location = page.headers.get('location');
      if (!location) return page;
      const next = new URL(location, page.url);
      if (next.origin !== origin) return { ...page, url: next.href };
      page = await request(next.href);
    }
    throw new Error('the browser goes round in circles');
  }

  return {
    jar,
    request,
    open: async (url: string) => follow(await request(new URL(url, origin).href)),
    /** Presses the button in the form that has it. */
    async press(page: Page, value: string, filled: Record<string, string> = {}): Promise<Page> {
      const form = formsOf(page).find(({ buttons }) => buttons.some((button) => button.value === value));
      if (!form) throw new Error(`no button "${value}" on ${page.url}: ${page.text}`);
      const body = new URLSearchParams({ ...form.fields, ...filled, do: value });
      return follow(await request(new URL(form.action, page.url).href, body));
    },
  };
}

export type PageBrowser = ReturnType<typeof pageBrowser>;

function formsOf({ text }: Page): Form[] {
  return [...text.matchAll(/<form ([^>]*)>([\s\S]*?)<\/form>/g)].map(([, attributes = '', content = '']) => ({
    action: attributeOf(attributes, 'action'),
    fields: Object.fromEntries(
      [...content.matchAll(/<input ([^>]*)>/g)].map(([, input = '']) => [
        attributeOf(input, 'name'),
        attributeOf(input, 'value'),
      ]),
    ),
    buttons: [...content.matchAll(/<button ([^>]*)>/g)].map(([, button = '']) => ({
      name: attributeOf(button, 'name'),
      value: attributeOf(button, 'value'),
    })),
  }));
}

const signs: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

function attributeOf(tag: string, name: string): string {
  const written = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
  return written.replaceAll(/&(#?\w+);/g, (_whole, entity: string) => signs[entity] ?? '?');
}
