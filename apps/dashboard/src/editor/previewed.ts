/** What is shown next to the editor, in the form that the URL uses. */
export type Previewed = 'file' | 'site' | `port-${number}`;

export const previewedIn = (text: string | undefined): Previewed | undefined =>
  text === 'file' || text === 'site' || (text !== undefined && portOf(text) !== null) ? (text as Previewed) : undefined;

/** The port that is shown. Null if something else is shown. */
export function portOf(shown: string): number | null {
  const port = Number(/^port-(\d{1,5})$/.exec(shown)?.[1] ?? 0);
  return port >= 1 && port <= 65_535 ? port : null;
}
