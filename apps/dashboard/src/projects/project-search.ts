import type { ProjectListQuery } from '@bottega/contract';
import { oneOf, pageIn, searchOf, textIn, trueIn } from '../kit/address.ts';

/** The search parameters of the list. Default values are never in the URL. */
export const projectSearch = searchOf({
  q: textIn,
  status: oneOf('active', 'archived'),
  starred: trueIn,
  sort: oneOf<ProjectListQuery['sort']>('name', 'created_at'),
  page: pageIn,
});
export type ProjectSearch = ReturnType<typeof projectSearch>;

export const exploreSearch = searchOf({
  q: textIn,
  sort: oneOf<ProjectListQuery['sort']>('name', 'created_at'),
  page: pageIn,
});

export const newProjectSearch = searchOf({ from: oneOf('template', 'import'), template: textIn });
export type NewProjectSearch = ReturnType<typeof newProjectSearch>;
