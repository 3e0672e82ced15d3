import type { ProjectSettings } from '@bottega/contract';
import type { RowWithout } from '../foundation/db/index.ts';

/** Settings of a new project, unless its creator chooses others. */
export type TemplateSettings = Pick<ProjectSettings, 'collaboration_enabled' | 'auto_save' | 'version_control'>;

/** A built-in or published template. Its files are read when they are needed. */
export type Template = RowWithout<'templates', 'project_id' | 'owner_id' | 'stored_bytes' | keyof TemplateSettings> & {
  /** Null for built-in templates. */
  owner_id: string | null;
  author_name: string;
  settings: Partial<TemplateSettings>;
};
