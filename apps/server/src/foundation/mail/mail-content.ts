/** The content of a mail. Both the text and the HTML form are made from it. */
export type MailContent = {
  subject: string;
  greeting: string;
  paragraphs: string[];
  /** The one action that the recipient can take. */
  action?: { label: string; url: string };
  /** Remarks about the action, such as its expiry. */
  closing?: string[];
};

export type MailText = { subject: string; text: string; html: string };

export function mailText(content: MailContent): MailText {
  const { greeting, paragraphs, action, closing = [] } = content;
  const link = action ? [`${action.label}:\n${action.url}`] : [];
  const button = action
    ? [`<p><a href="${escaped(action.url)}" style="${buttonStyle}">${escaped(action.label)}</a></p>`]
    : [];
  const address = action ? [`<p style="${smallStyle}">${escaped(action.url)}</p>`] : [];
  const html = [
    ...[greeting, ...paragraphs].map((text) => `<p>${lines(text)}</p>`),
    ...button,
    ...closing.map((text) => `<p style="${smallStyle}">${lines(text)}</p>`),
    ...address,
  ];
  return {
    subject: oneLine(content.subject),
    text: `${[greeting, ...paragraphs, ...link, ...closing].join('\n\n')}\n`,
    html: `<!doctype html><html><body style="${bodyStyle}">\n${html.join('\n')}\n</body></html>\n`,
  };
}

const bodyStyle =
  'font-family: system-ui, sans-serif; font-size: 16px; line-height: 1.5; color: #1c1b19; max-width: 36em';
const buttonStyle =
  'display: inline-block; padding: 10px 18px; border-radius: 7px; background: #3a4fd8; color: #ffffff; text-decoration: none';
const smallStyle = 'font-size: 13px; color: #5e5a53; overflow-wrap: anywhere';

/** Escapes text. The content includes names and messages of users, which must not become markup or a header. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const lines = (text: string): string => escaped(text).replaceAll('\n', '<br>');
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
