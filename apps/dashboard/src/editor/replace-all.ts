/** Replaces every match as the service's search finds them: any case, and no patterns. */
export function replaceAll(text: string, sought: string, replacement: string): { text: string; count: number } {
  const [low, soughtLow] = [text.toLowerCase(), sought.toLowerCase()];
  // In some languages, a letter has a different length in lower case. In this case, positions in the lower-case text
  // are not valid in the original, so the case of letters is respected.
  const isAligned = low.length === text.length && soughtLow.length === sought.length;
  const [where, what] = isAligned ? [low, soughtLow] : [text, sought];
  const parts: string[] = [];
  let from = 0;
  for (let at = where.indexOf(what); what && at !== -1; at = where.indexOf(what, from)) {
    parts.push(text.slice(from, at));
    from = at + what.length;
  }
  return { text: [...parts, text.slice(from)].join(replacement), count: parts.length };
}
