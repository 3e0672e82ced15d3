const browsers: [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrom(e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const systems: [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
];

/**
 * Enough to tell one's own devices apart; the whole text is shown on hover. Order matters: most browsers claim to be
 * others.
 */
export function browserName(userAgent: string): string {
  const [browser, system] = [browsers, systems].map((known) => known.find(([sign]) => sign.test(userAgent))?.[1]);
  if (!browser) return userAgent.slice(0, 60) || '–';
  return system ? `${browser}, ${system}` : browser;
}
