import type { ProjectSettings, TemplateValues } from '@bottega/contract';
import type { Trx } from '../foundation/db/index.ts';
import type { Cause, Principal } from '../foundation/http/index.ts';

/** What the creator of a project states about its template. */
export type TemplateChoice = { id: string; values: TemplateValues; name: string; description: string | undefined };

export type Beginning = {
  version: number;
  settings: Partial<ProjectSettings>;
  /** Adds the template's files to the project, which exists now, as its first commit. */
  fill(project: { projectId: string; cause: Cause }): Promise<void>;
};

/** Passed in: templates know projects, and not the other way round. Refuses what is unknown, hidden or does not fit. */
export type FromTemplate = (trx: Trx, principal: Principal, choice: TemplateChoice) => Promise<Beginning>;
