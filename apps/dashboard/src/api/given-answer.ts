/** What came with the page, so that nobody has to ask for it. Used once: it is as old as the page. */
export function givenAnswer(url: string): Response | null {
  // Tests of calls have no document.
  const given = globalThis.document?.querySelector(`script[data-answer="${CSS.escape(url)}"]`);
  if (!given) return null;
  given.remove();
  return new Response(given.textContent, { headers: { 'content-type': 'application/json' } });
}
