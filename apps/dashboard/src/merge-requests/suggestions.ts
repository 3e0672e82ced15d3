/** A part of a comment: Markdown, or lines that are suggested as a replacement for the lines of the thread. */
export type BodyPart = { kind: 'text' | 'suggestion'; text: string };

const opening = /^ {0,3}(`{3,}|~{3,})[ \t]*suggestion[ \t]*$/;

/** Splits a comment at its suggestions. A suggestion is a block of code that is named `suggestion`. */
export function partsOf(body: string): BodyPart[] {
  const parts: BodyPart[] = [];
  let [text, block, fence]: [string[], string[], string] = [[], [], ''];
  const endText = () => {
    if (text.join('').trim() !== '') parts.push({ kind: 'text', text: text.join('\n') });
    text = [];
  };
  for (const line of body.split(/\r?\n/)) {
    if (fence !== '' && line.trim() === fence) {
      endText();
      parts.push({ kind: 'suggestion', text: block.join('\n') });
      [block, fence] = [[], ''];
    } else if (fence !== '') block.push(line);
    else {
      fence = opening.exec(line)?.[1] ?? '';
      if (fence === '') text.push(line);
    }
  }
  // A block that never ends is shown as it was written.
  if (fence !== '') text.push(`${fence}suggestion`, ...block);
  endText();
  return parts;
}

/** The block to insert into a comment. Its fence is longer than every fence in the lines. */
export function suggestionBlock(lines: string): string {
  const longest = Math.max(2, ...[...lines.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}suggestion\n${lines}\n${fence}\n`;
}

/** The lines that a thread is about and the suggested ones, as a unified diff. */
export function suggestionDiff(lines: string, suggestion: string, firstLine: number): string {
  const before = lines.split('\n');
  const after = suggestion === '' ? [] : suggestion.split('\n');
  return [
    `@@ -${firstLine},${before.length} +${firstLine},${after.length} @@`,
    ...before.map((line) => `-${line}`),
    ...after.map((line) => `+${line}`),
  ].join('\n');
}

/** Lines without a change, as a unified diff. */
export function quoteDiff(lines: string, firstLine: number): string {
  const all = lines.split('\n');
  return [`@@ -${firstLine},${all.length} +${firstLine},${all.length} @@`, ...all.map((line) => ` ${line}`)].join('\n');
}
