/** A mention that is being typed: where its `@` is, and what follows up to the cursor. */
export type MentionAt = { from: number; query: string };

/** Who can be mentioned. */
export type Person = { id: string; name: string; username: string; picture: string | null };

/**
 * The length of the longest query. It is one character more than the longest username, so that a longer word finds
 * nobody.
 */
const longest = 40;
const typed = /(?<![\w@.-])@([\p{L}\p{N}._-]*)$/u;

export function mentionAt(text: string, cursor: number): MentionAt | null {
  const before = text.slice(Math.max(0, cursor - longest - 2), cursor);
  const [whole, query] = typed.exec(before) ?? [];
  return whole === undefined || query === undefined ? null : { from: cursor - whole.length, query };
}

export const mostShown = 8;

/**
 * Finds people by a query. First come those whose username, or a word of whose name, begins with the query, and then
 * those whose names contain it.
 */
export function peopleFor(people: readonly Person[], query: string): Person[] {
  const wanted = query.toLowerCase();
  const rankOf = ({ name, username }: Person): number => {
    const words = [username, name.toLowerCase(), ...name.toLowerCase().split(/\s+/)];
    if (words.some((word) => word.startsWith(wanted))) return 0;
    return words.some((word) => word.includes(wanted)) ? 1 : 2;
  };
  return people
    .map((person) => ({ person, rank: rankOf(person) }))
    .filter(({ rank }) => rank < 2)
    .toSorted((a, b) => a.rank - b.rank || a.person.name.localeCompare(b.person.name))
    .slice(0, mostShown)
    .map(({ person }) => person);
}

/**
 * Completes a mention. The typed word is replaced with the spelling that the service knows, followed by a space unless
 * there already is one.
 */
export function spelledOut(
  text: string,
  { from, query }: MentionAt,
  { username }: Person,
): { to: number; text: string } {
  const cursor = from + 1 + query.length;
  const [rest = ''] = /^[\p{L}\p{N}_-]*/u.exec(text.slice(cursor, cursor + longest)) ?? [];
  const to = cursor + rest.length;
  return { to, text: `@${username}${/\s/.test(text.charAt(to)) ? '' : ' '}` };
}
