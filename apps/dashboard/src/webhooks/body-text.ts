/** JSON as people read it; anything else as it is. */
export function readable(body: string): string {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? JSON.stringify(value, null, 2) : body;
  } catch {
    return body;
  }
}
