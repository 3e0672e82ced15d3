type Platform = {
  process?: { env?: Record<string, string | undefined>; versions?: { node?: string } };
  Deno?: { version: { deno: string } };
  Bun?: { version: string };
};

const platform = globalThis as Platform;

/** A variable of the process environment, if there is one. */
export const environmentOf = (name: string): string | undefined => platform.process?.env?.[name] || undefined;

/**
 * The name of the runtime for `User-Agent`. Undefined in browsers, where setting this header would cause a preflight
 * request.
 */
export function runtimeName(): string | undefined {
  if (platform.Deno) return `deno/${platform.Deno.version.deno}`;
  if (platform.Bun) return `bun/${platform.Bun.version}`;
  const node = platform.process?.versions?.node;
  return node === undefined ? undefined : `node/${node}`;
}
