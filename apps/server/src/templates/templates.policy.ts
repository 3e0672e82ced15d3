import { forbidden, notFound, type Principal } from '../foundation/http/index.ts';
import type { Template } from './template.ts';

/**
 * Throws if the user may not see a template. Only its author sees a private template. For everyone else, including
 * administrators, it does not exist.
 */
export function mustSeeTemplate(template: Template | undefined, userId: string): Template {
  if (!template || !maySee(template, userId)) throw notFound('Template');
  return template;
}

export function maySee({ visibility, owner_id }: Template, userId: string): boolean {
  return visibility === 'public' || owner_id === userId;
}

/** Throws unless the caller is the author, or an administrator, who is responsible for what everybody sees. */
export function mustChange(template: Template, { userId, isAdmin }: Principal): void {
  if (template.owner_id === null) throw forbidden('Built-in templates cannot be changed');
  if (template.owner_id !== userId && !isAdmin) throw forbidden('Only the author of a template can change it');
}

type Prominence = { visibility: 'private' | 'public'; featured: boolean };

/**
 * Throws if the caller may not make a template more prominent. Checks only what has changed, so an author without this
 * right can still change the other fields.
 */
export function mustPromote(before: Prominence, after: Prominence, { isAdmin }: Principal): void {
  if (isAdmin) return;
  if (after.visibility === 'public' && before.visibility !== 'public') {
    throw forbidden('Only an administrator can publish a template for everybody');
  }
  if (after.featured && !before.featured) throw forbidden('Only an administrator can feature a template');
}
