import { type Static, Type } from 'typebox';

export const scopeAreas = ['projects', 'files', 'deployments', 'webhooks', 'collaboration', 'user'] as const;

export type Scope = `${'read' | 'write'}:${(typeof scopeAreas)[number]}`;

export const allScopes = scopeAreas.flatMap((area): Scope[] => [`read:${area}`, `write:${area}`]);

export const Scopes = Type.Array(Type.Enum(allScopes), {
  uniqueItems: true,
  description: 'Empty means every scope. write:x includes read:x.',
});
export type Scopes = Static<typeof Scopes>;

/** An empty list is a credential without restriction; `write:x` includes `read:x`. */
export function scopeAllows(granted: readonly Scope[], needed: Scope): boolean {
  if (granted.length === 0 || granted.includes(needed)) return true;
  return needed.startsWith('read:') && granted.includes(needed.replace('read:', 'write:') as Scope);
}

/** True where `wanted` grants nothing that `granted` does not. */
export function scopesWithin(wanted: readonly Scope[], granted: readonly Scope[]): boolean {
  if (granted.length === 0) return true;
  return wanted.length > 0 && wanted.every((scope) => scopeAllows(granted, scope));
}
