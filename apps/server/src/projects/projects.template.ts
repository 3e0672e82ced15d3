import type { ProjectSettings, TemplateValues } from '@bottega/contract';
import type { Trx } from '../foundation/db/index.ts';
import type { Cause, Principal } from '../foundation/http/index.ts';

/** What the creator of a project specifies about its template. */
export type TemplateChoice = { id: string; values: TemplateValues; name: string; description: string | undefined };

export type Beginning = {
  version: number;
  settings: Partial<ProjectSettings>;
  /** Adds the template's files to the project, which now exists, as its first commit. */
  fill(project: { projectId: string; cause: Cause }): Promise<void>;
};

/**
 * Prepares a template for a new project. It refuses templates and values that are unknown, hidden or not valid. The
 * function is passed in, because the slice of templates imports this slice, and not the other way round.
 */
export type FromTemplate = (trx: Trx, principal: Principal, choice: TemplateChoice) => Promise<Beginning>;
