import { testPassword } from '../clients/browser.ts';
import { type PageBrowser, pageBrowser } from '../clients/page-browser.ts';
import type { TestService, TestUser } from '../service/test-service.ts';
import { authorizeUrl, callback, exchange, type RegisteredApp } from './oauth-tokens.ts';

type Tokens = { access_token: string; refresh_token: string; scope: string };

/** Signs in and consents if asked, and returns the URL at the app that the browser was sent to. */
export async function authorize(
  browser: PageBrowser,
  user: Pick<TestUser, 'email'>,
  url: string,
): Promise<{ back: URL; asked: ('sign-in' | 'consent')[] }> {
  const asked: ('sign-in' | 'consent')[] = [];
  let page = await browser.open(url);
  if (page.text.includes('value="sign-in"')) {
    asked.push('sign-in');
    page = await browser.press(page, 'sign-in', { email: user.email, password: testPassword });
  }
  if (page.text.includes('value="allow"')) {
    asked.push('consent');
    page = await browser.press(page, 'allow');
  }
  if (!page.headers.get('location')) throw new Error(`not back at the app: ${page.status} ${page.text}`);
  return { back: new URL(page.url), asked };
}

const browsers = new Map<string, PageBrowser>();

/** Each user has one browser, so that the password is checked only once, because the check is slow by design. */
function browserOf({ url }: TestService, { id }: TestUser): PageBrowser {
  const browser = browsers.get(url + id) ?? pageBrowser(url);
  browsers.set(url + id, browser);
  return browser;
}

/** A code for a confidential app, with the documented parameters. */
export async function getCode(
  service: TestService,
  app: RegisteredApp,
  user: TestUser,
  params: Record<string, string> = {},
): Promise<string> {
  const { back } = await authorize(browserOf(service, user), user, authorizeUrl(service, app, params));
  const code = back.searchParams.get('code');
  if (!code) throw new Error(`no code: ${back}`);
  return code;
}

export async function getTokens(
  service: TestService,
  app: RegisteredApp,
  user: TestUser,
  params: Record<string, string> = {},
): Promise<Tokens> {
  const code = await getCode(service, app, user, params);
  const answer = await exchange(service, app, { code, redirect_uri: params.redirect_uri ?? callback });
  if (answer.status !== 200) throw new Error(`no tokens: ${answer.text}`);
  return answer.body as unknown as Tokens;
}

export const refresh = (service: TestService, app: RegisteredApp, refresh_token: string, scope?: string) =>
  exchange(service, app, { grant_type: 'refresh_token', refresh_token, ...(scope && { scope }) });
