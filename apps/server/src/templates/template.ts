import type { ProjectSettings, TemplateVariable } from '@bottega/contract';

/** A template, wherever it is kept. Its files are read when they are needed. */
export type Template = {
  id: string;
  /** Null for those that come with the service. */
  ownerId: string | null;
  name: string;
  description: string;
  category: string;
  language: string;
  tags: string[];
  featured: boolean;
  visibility: 'private' | 'public';
  authorName: string;
  variables: TemplateVariable[];
  /** What a project from it begins with, where its creator says nothing else. */
  settings: Partial<ProjectSettings>;
  version: number;
  filesCount: number;
  createdAt: Date;
  updatedAt: Date;
};
