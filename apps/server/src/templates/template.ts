import type { ProjectSettings } from '@bottega/contract';
import type { RowWithout } from '../foundation/db/index.ts';

/** Given to a project where its creator says nothing else. */
export type TemplateSettings = Pick<ProjectSettings, 'collaboration_enabled' | 'auto_save' | 'version_control'>;

/** A template, wherever it is kept. Its files are read when they are needed. */
export type Template = RowWithout<'templates', 'project_id' | 'owner_id' | 'stored_bytes' | keyof TemplateSettings> & {
  /** Null for those that come with the service. */
  owner_id: string | null;
  author_name: string;
  settings: Partial<TemplateSettings>;
};
