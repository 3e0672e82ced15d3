import type { Scope } from '@bottega/contract';
import type { Language } from '../../foundation/http/answers/accepted-language.ts';
import { type Html, html } from '../../foundation/http/answers/html.ts';
import { page, pageHeaders, type Theme } from './page-frame.ts';
import { refusalIn, words } from './pages.words.ts';

type Refusal = { error: string; description: string; status: number };

/** A page for a user whose app cannot receive a response. It states the reason and has no link. */
export const errorPage = {
  headers: pageHeaders(),
  render(language: Language, { error, description, status }: Refusal): string {
    const said = words[language];
    const title = status >= 500 ? said.failed : said.unanswerable;
    const content = html`<h1>${title}</h1>
<p>${description ? refusalIn(language, description) : said.invalid}</p>
<p class="soft">${said.tellMakers(html`<code>${error}</code>`)}</p>`;
    return page({ language, title, content });
  },
};

type SignIn = { appName: string; email: string; problem: string | null; needsCode: boolean; action: string };

export function signInPage(language: Language, { appName, email, problem, needsCode, action }: SignIn): string {
  const said = words[language];
  const code = html`<label>${said.code}
<input name="code" autocomplete="one-time-code" required autofocus maxlength="64"></label>`;
  const content = html`<h1>${said.signIn}</h1>
<p>${said.goOnTo(strong(appName))}</p>
${problem ? html`<p class="bad" role="alert">${refusalIn(language, problem)}</p>` : ''}
<form method="post" action="${action}">
<label>${said.email}
<input name="email" type="email" autocomplete="username" required maxlength="254" value="${email}"></label>
<label>${said.password}
<input name="password" type="password" autocomplete="current-password" required maxlength="1024"></label>
${needsCode ? code : ''}
<div class="row"><button class="main" name="do" value="sign-in">${said.signIn}</button></div>
</form>
${cancelForm(action, said.cancel)}`;
  return page({ language, title: said.signIn, content });
}

/** A separate form, because the required fields of the main form would have to be filled in first. */
const cancelForm = (action: string, cancel: string): Html =>
  html`<form method="post" action="${action}"><button class="link" name="do" value="deny">${cancel}</button></form>`;

const strong = (text: string): Html => html`<strong>${text}</strong>`;

type Consent = {
  appName: string;
  scopes: Scope[];
  account: { name: string; email: string; theme: Theme };
  redirectHost: string;
  csrf: string;
  action: string;
};

export function consentPage(language: Language, consent: Consent): string {
  const { appName, scopes, account, redirectHost, csrf, action } = consent;
  const said = words[language];
  const csrfField = html`<input type="hidden" name="csrf_token" value="${csrf}">`;
  const content = html`<h1>${said.allowHeading(strong(appName))}</h1>
<p>${said.asksTo}</p>
<ul>${scopes.map((scope) => html`<li>${said.scopes[scope]}<code>${scope}</code></li>`)}</ul>
<form method="post" action="${action}">
${csrfField}
<div class="row"><button name="do" value="deny">${said.cancel}</button>
<button class="main" name="do" value="allow">${said.allow}</button></div>
</form>
<p class="soft">${said.sentTo(strong(redirectHost))}</p>
<form method="post" action="${action}">${csrfField}
<p class="soft">${said.signedInAs(`${account.name} (${account.email})`)}
<button class="link" name="do" value="switch">${said.notYou}</button></p></form>`;
  return page({ language, title: said.allowTitle(appName), content, theme: account.theme });
}
