export { mostClientBytes } from './client.ts';
export { pathOfProject } from './documents.ts';
export { createMessageReader, encodeMessage } from './framing.ts';
export {
  fetchLanguageServers,
  type InstalledLanguages,
  missingLanguages,
  noLanguages,
  openInstalledLanguages,
  openLanguagesDirectory,
} from './installed.ts';
export { languageOf } from './known-languages.ts';
export { createLanguages, type Languages } from './languages.ts';
