import type { Language } from '../../foundation/http/answers/accepted-language.ts';
import { type Html, html } from '../../foundation/http/answers/html.ts';

type Words = {
  heading: string;
  typeIn: string;
  code: string;
  goOn: string;
  wrong: string;
  mustShow: (code: Html) => Html;
  askedFrom: (address: Html) => Html;
  onlyYours: string;
  allowed: string;
  refused: string;
  backTo: (app: Html) => Html;
  nothing: string;
};

export const deviceWords: Record<Language, Words> = {
  en: {
    heading: 'Connect a device',
    typeIn: 'Type in the code that your terminal or device shows.',
    code: 'Code',
    goOn: 'Continue',
    wrong: 'No device is waiting with this code. The code may have expired or may already have been used.',
    mustShow: (code) => html`Your device must show this code: ${code}`,
    askedFrom: (address) => html`The request comes from the address ${address}.`,
    onlyYours: 'Allow it only if you started this yourself. You can revoke it at any time in your settings.',
    allowed: 'The device is connected',
    refused: 'The device was not connected',
    backTo: (app) => html`You can close this page and go back to ${app}.`,
    nothing: 'Nothing was allowed. You can close this page.',
  },
  de: {
    heading: 'Gerät verbinden',
    typeIn: 'Gib den Code ein, den dein Terminal oder Gerät zeigt.',
    code: 'Code',
    goOn: 'Weiter',
    wrong: 'Mit diesem Code wartet kein Gerät. Vielleicht ist er abgelaufen oder wurde schon verwendet.',
    mustShow: (code) => html`Dein Gerät muss diesen Code zeigen: ${code}`,
    askedFrom: (address) => html`Die Anfrage kommt von der Adresse ${address}.`,
    onlyYours:
      'Erlaube es nur, wenn du das selbst begonnen hast. Du kannst es jederzeit in den Einstellungen widerrufen.',
    allowed: 'Das Gerät ist verbunden',
    refused: 'Das Gerät wurde nicht verbunden',
    backTo: (app) => html`Du kannst diese Seite schließen und zu ${app} zurückkehren.`,
    nothing: 'Es wurde nichts erlaubt. Du kannst diese Seite schließen.',
  },
};
