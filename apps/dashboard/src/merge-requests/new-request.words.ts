import { dictionary } from '../words/dictionary.ts';

export const newRequestWords = dictionary('merge-requests/newRequest', {
  title: ['New merge request', 'Neuer Merge-Request'],
  back: ['All merge requests', 'Alle Merge-Requests'],
  project: ['For the project', 'Für das Projekt'],
  source: ['From', 'Von'],
  target: ['Into', 'In'],
  chooseSource: ['Choose the branch with the changes', 'Wähle den Branch mit den Änderungen'],
  requestTitle: ['Title', 'Titel'],
  draft: ['Draft', 'Entwurf'],
  draftHint: [
    'You are still working on it. A draft cannot be merged.',
    'Du arbeitest noch daran. Ein Entwurf lässt sich nicht zusammenführen.',
  ],
  reviewers: ['Reviewers', 'Reviewer'],
  reviewersHint: ['Members who should review it', 'Personen, die ihn prüfen sollen'],
  create: ['Open merge request', 'Merge-Request öffnen'],
  nothing: [
    (source: string, target: string) => `${target} already contains all commits from ${source}.`,
    (source, target) => `${target} hat bereits alles, was ${source} hat.`,
  ],
  commits: [
    (count: number) => (count === 1 ? '1 commit' : `${count} commits`),
    (count) => (count === 1 ? '1 Commit' : `${count} Commits`),
  ],
  noBranches: ['There is only one branch', 'Es gibt nur einen Branch'],
  noBranchesHint: [
    'A merge request needs a branch with changes. Create one first.',
    'Ein Merge-Request braucht einen Branch mit Änderungen. Lege zuerst einen an.',
  ],
  toBranches: ['Go to the branches', 'Zu den Branches'],
});
