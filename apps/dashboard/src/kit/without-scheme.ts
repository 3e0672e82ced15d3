/** Removes the scheme and a final slash from an address, for showing it. */
export const withoutScheme = (url: string): string => url.replace(/^https?:\/\//, '').replace(/\/$/, '');
