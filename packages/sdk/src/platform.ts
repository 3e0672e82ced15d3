type Platform = {
  process?: { env?: Record<string, string | undefined>; versions?: { node?: string } };
  Deno?: { version: { deno: string } };
  Bun?: { version: string };
};

const platform = globalThis as Platform;

/** Of the process, where there is one. */
export const environmentOf = (name: string): string | undefined => platform.process?.env?.[name] || undefined;

/** Undefined in browsers, whose own `User-Agent` stays: another one would cost a preflight. */
export function runtimeName(): string | undefined {
  if (platform.Deno) return `deno/${platform.Deno.version.deno}`;
  if (platform.Bun) return `bun/${platform.Bun.version}`;
  const node = platform.process?.versions?.node;
  return node === undefined ? undefined : `node/${node}`;
}
