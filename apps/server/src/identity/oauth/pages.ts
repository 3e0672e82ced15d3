import { type Scope, scopeMeanings } from '@bottega/contract';
import { type Html, html } from './html.ts';
import { page, pageHeaders, type Theme } from './page-frame.ts';

/** For whoever was sent here by an app that cannot be answered: it says why, and leads nowhere. */
export const errorPage = {
  headers: pageHeaders(),
  render({ error, description, status }: { error: string; description: string; status: number }): string {
    const title = status >= 500 ? 'This did not work' : 'This request cannot be answered';
    return page(
      title,
      html`<h1>${title}</h1>
<p>${description || 'The request is not valid.'}</p>
<p class="soft">Nothing was allowed and nothing was changed. If an app sent you here, tell its makers:
<code>${error}</code></p>`,
    );
  },
};

type SignIn = { appName: string; email: string; problem: string | null; needsCode: boolean; action: string };

export function signInPage({ appName, email, problem, needsCode, action }: SignIn): string {
  const code = html`<label>Code of your authenticator app, or a recovery code
<input name="code" autocomplete="one-time-code" required autofocus maxlength="64"></label>`;
  return page(
    'Sign in',
    html`<h1>Sign in</h1>
<p>Sign in to go on to <strong>${appName}</strong>.</p>
${problem ? html`<p class="bad" role="alert">${problem}</p>` : ''}
<form method="post" action="${action}">
<label>E-mail address
<input name="email" type="email" autocomplete="username" required maxlength="254" value="${email}"></label>
<label>Password
<input name="password" type="password" autocomplete="current-password" required maxlength="1024"></label>
${needsCode ? code : ''}
<div class="row"><button class="main" name="do" value="sign-in">Sign in</button></div>
</form>
${cancelForm(action)}`,
  );
}

/** Without what the rest of the form asks for, which would have to be filled in first. */
const cancelForm = (action: string): Html =>
  html`<form method="post" action="${action}"><button class="link" name="do" value="deny">Cancel</button></form>`;

type Consent = {
  appName: string;
  scopes: Scope[];
  account: { name: string; email: string; theme: Theme };
  redirectHost: string;
  csrf: string;
  action: string;
};

export function consentPage({ appName, scopes, account, redirectHost, csrf, action }: Consent): string {
  const csrfField = html`<input type="hidden" name="csrf_token" value="${csrf}">`;
  return page(
    `Allow ${appName}?`,
    html`<h1>Allow <strong>${appName}</strong> to act for you?</h1>
<p>It asks to be allowed to:</p>
<ul>${scopes.map((scope) => html`<li>${scopeMeanings[scope]}<code>${scope}</code></li>`)}</ul>
<form method="post" action="${action}">
${csrfField}
<div class="row"><button name="do" value="deny">Cancel</button>
<button class="main" name="do" value="allow">Allow</button></div>
</form>
<p class="soft">You will be sent to <strong>${redirectHost}</strong>. You can take this back at any time.</p>
<form method="post" action="${action}">${csrfField}
<p class="soft">Signed in as ${account.name} (${account.email}).
<button class="link" name="do" value="switch">Not you?</button></p></form>`,
    account.theme,
  );
}
