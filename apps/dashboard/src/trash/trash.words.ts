import { dictionary } from '../words/dictionary.ts';

export const trashWords = dictionary('trash/trash', {
  title: ['Trash', 'Papierkorb'],
  hint: [
    'Deleted projects stay here for a while and continue to count towards your storage limit.',
    'Gelöschte Projekte bleiben eine Zeit lang hier und werden weiter auf deine Speichergrenze angerechnet.',
  ],
  back: ['Your projects', 'Deine Projekte'],
  none: ['The trash is empty', 'Der Papierkorb ist leer'],
  noneHint: [
    'When you delete a project, it appears here and you can restore it.',
    'Wenn du ein Projekt löschst, findest du es hier und kannst es wiederherstellen.',
  ],
  count: [
    (total: number) => (total === 1 ? '1 deleted project' : `${total} deleted projects`),
    (total) => (total === 1 ? '1 gelöschtes Projekt' : `${total} gelöschte Projekte`),
  ],
  deleted: ['Deleted', 'Gelöscht'],
  goes: ['Deleted permanently', 'Endgültig entfernt'],
  storage: ['Storage', 'Speicher'],
  restore: ['Restore', 'Wiederherstellen'],
  restored: [(name: string) => `Restored ${name}`, (name) => `${name} wiederhergestellt`],
  noRoom: [
    'Your plan has no room for this project. Delete another project, free some storage, or ask an administrator for a larger plan.',
    'Dein Tarif hat für dieses Projekt keinen Platz mehr. Lösche ein anderes Projekt, gib Speicher frei, oder bitte einen Administrator um einen größeren Tarif.',
  ],
  purge: ['Delete for good', 'Endgültig löschen'],
  purgeTitle: [(name: string) => `Delete ${name} for good?`, (name) => `${name} endgültig löschen?`],
  purgeHint: [
    'Files, history and deployments are deleted now. They cannot be restored.',
    'Dateien, Verlauf und Deployments werden jetzt entfernt. Niemand kann sie zurückholen.',
  ],
  purged: [(name: string) => `${name} is being removed`, (name) => `${name} wird entfernt`],
});
