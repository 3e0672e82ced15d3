import { dictionary } from '../words/dictionary.ts';

export const previewWords = dictionary('editor/preview', {
  preview: ['Preview', 'Vorschau'],
  hide: ['Hide the preview', 'Vorschau ausblenden'],
  what: ['Preview of', 'Was angezeigt wird'],
  file: ['File', 'Datei'],
  site: ['Site', 'Website'],
  noPreview: ['Nothing to preview here', 'Hier gibt es keine Vorschau'],
  noPreviewHint: [
    'Markdown, HTML and SVG files are previewed as you type.',
    'Von Markdown-, HTML- und SVG-Dateien siehst du eine Vorschau, während du schreibst.',
  ],
  of: [(path: string) => `Preview of ${path}`, (path) => `Vorschau von ${path}`],
  deploy: ['Deploy', 'Bereitstellen'],
  saveAndDeploy: ['Save and deploy', 'Speichern und bereitstellen'],
  deployPreview: ['Deploy preview', 'Vorschau bereitstellen'],
  saveAndDeployPreview: ['Save and deploy preview', 'Speichern und Vorschau bereitstellen'],
  deploying: ['Deploying…', 'Wird bereitgestellt…'],
  failed: ['The deployment failed', 'Das Deployment ist fehlgeschlagen'],
  showLog: ['Show the log', 'Log anzeigen'],
  notYet: ['This project is not online yet', 'Dieses Projekt ist noch nicht online'],
  branchNotYet: ['This branch is not online yet', 'Dieser Branch ist noch nicht online'],
  notYetHint: ['Deploy it to see it here.', 'Stelle es bereit, dann wird es hier angezeigt.'],
  live: ['The live site', 'Die Website'],
  openSite: ['Open in a new tab', 'In neuem Tab öffnen'],
  port: [(port: number) => `Port ${port}`, (port) => `Port ${port}`],
  reload: ['Reload', 'Neu laden'],
});
