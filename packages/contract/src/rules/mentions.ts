/** Matches `@username`. A dot or a dash at the end belongs to the sentence, and an e-mail address is no mention. */
export const mentionPattern = /(?<![\w@.-])@([a-z0-9](?:[a-z0-9._-]{0,37}[a-z0-9])?)/gi;

/** Maximum number of people that one text notifies. Further mentions are plain text. */
export const maxMentioned = 20;

/** The usernames that a text mentions, each once. Names in code, such as decorators, are not addressed to anybody. */
export function mentionsIn(text: string): string[] {
  const names = proseOf(text).flatMap((paragraph) =>
    Array.from(paragraph.matchAll(mentionPattern), ([, name = '']) => name.toLowerCase()),
  );
  return [...new Set(names)].slice(0, maxMentioned);
}

/** The usernames that an edit added to a text. */
export function newMentionsIn(text: string, before: string): string[] {
  const known = new Set(mentionsIn(before));
  return mentionsIn(text).filter((name) => !known.has(name));
}

/** The paragraphs of a Markdown text, without code. */
function proseOf(text: string): string[] {
  const lines: string[] = [];
  let fence = '';
  for (const line of text.split(/\r?\n/)) {
    const [, ticks = '', info = ''] = /^[ >]*(`{3,}|~{3,})([^`]*)$/.exec(line) ?? [];
    if (fence !== '') {
      if (ticks.startsWith(fence) && info.trim() === '') fence = '';
    } else if (ticks !== '') {
      fence = ticks;
      lines.push('');
    } else lines.push(line.trim());
  }
  return lines
    .join('\n')
    .split(/\n{2,}/)
    .map(withoutCodeSpans);
}

/** A code span begins and ends with the same number of backticks. Backticks without a partner are text. */
function withoutCodeSpans(paragraph: string): string {
  const parts = paragraph.split(/(`+)/);
  const partners = new Map<number, number>();
  const nextOfLength = new Map<number, number>();
  for (let index = parts.length - 2; index > 0; index -= 2) {
    const length = parts[index]?.length ?? 0;
    const next = nextOfLength.get(length);
    if (next !== undefined) partners.set(index, next);
    nextOfLength.set(length, index);
  }
  let prose = '';
  for (let index = 0; index < parts.length; index++) {
    const end = partners.get(index);
    prose += end === undefined ? parts[index] : ' ';
    if (end !== undefined) index = end;
  }
  return prose;
}
