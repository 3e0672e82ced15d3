/** Formatted JSON; anything else unchanged. */
export function readable(body: string): string {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? JSON.stringify(value, null, 2) : body;
  } catch {
    return body;
  }
}
