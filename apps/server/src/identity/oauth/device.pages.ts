import type { Language } from '../../foundation/http/answers/accepted-language.ts';
import { type Html, html } from '../../foundation/http/answers/html.ts';
import type { AskingDevice } from './device.service.ts';
import { deviceWords } from './device.words.ts';
import { page } from './page-frame.ts';
import { words } from './pages.words.ts';

const strong = (text: string): Html => html`<strong>${text}</strong>`;
const hidden = (name: string, value: string): Html => html`<input type="hidden" name="${name}" value="${value}">`;

type Code = { code: string; isWrong: boolean; csrf: string };

export function deviceCodePage(language: Language, { code, isWrong, csrf }: Code): string {
  const said = deviceWords[language];
  const content = html`<h1>${said.heading}</h1>
<p>${said.typeIn}</p>
${isWrong ? html`<p class="bad" role="alert">${said.wrong}</p>` : ''}
<form method="post" action="/device">
${hidden('csrf_token', csrf)}
<label>${said.code}
<input name="user_code" required autofocus autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="20" value="${code}"></label>
<div class="row"><button class="main" name="do" value="continue">${said.goOn}</button></div>
</form>`;
  return page({ language, title: said.heading, content });
}

type Consent = { asking: AskingDevice; who: string; csrf: string };

export function deviceConsentPage(language: Language, { asking, who, csrf }: Consent): string {
  const said = { ...words[language], ...deviceWords[language] };
  const { appName, scopes, code, device } = asking;
  const content = html`<h1>${said.allowHeading(strong(appName))}</h1>
<p>${said.mustShow(strong(code))}</p>
<p>${said.askedFrom(strong(device.device_address))}<br><span class="soft">${device.device_agent}</span></p>
<p>${said.asksTo}</p>
<ul>${scopes.map((scope) => html`<li>${said.scopes[scope]}<code>${scope}</code></li>`)}</ul>
<form method="post" action="/device">
${hidden('csrf_token', csrf)}${hidden('user_code', code)}
<div class="row"><button name="do" value="deny">${said.cancel}</button>
<button class="main" name="do" value="allow">${said.allow}</button></div>
</form>
<p class="soft">${said.onlyYours} ${said.signedInAs(who)}</p>`;
  return page({ language, title: said.allowTitle(appName), content });
}

export function deviceDonePage(
  language: Language,
  { appName, isAllowed }: { appName: string; isAllowed: boolean },
): string {
  const said = deviceWords[language];
  const title = isAllowed ? said.allowed : said.refused;
  const content = html`<h1>${title}</h1>
<p>${isAllowed ? said.backTo(strong(appName)) : said.nothing}</p>`;
  return page({ language, title, content });
}
