import { dictionary } from '../words/dictionary.ts';

export const connectWords = dictionary('connect/connect', {
  title: ['Connect', 'Verbinden'],
  cli: ['Command line', 'Kommandozeile'],
  cliHint: [
    'Sign in once. A page in your browser asks you to confirm the sign-in.',
    'Melde dich einmal an; eine Seite in deinem Browser bittet dich um die Bestätigung.',
  ],
  logIn: ['Sign in', 'Anmelden'],
  listProjects: ['List your projects', 'Deine Projekte auflisten'],
  cloneHere: ['Clone this project', 'Dieses Projekt klonen'],
  sdk: ['SDK', 'SDK'],
  sdkHint: [
    'For Node, Deno, Bun and browsers. The token is an API key.',
    'Für Node, Deno, Bun und Browser. Das Token ist ein API-Schlüssel.',
  ],
  install: ['Install', 'Installieren'],
  client: ['Create a client', 'Client anlegen'],
  git: ['Git', 'Git'],
  gitHint: [
    'Use any username. The password is an API key with a scope for files.',
    'Verwende einen beliebigen Benutzernamen. Das Passwort ist ein API-Schlüssel mit der Berechtigung für Dateien.',
  ],
  clone: ['Clone', 'Klonen'],
  mcp: ['Agents (MCP)', 'Agenten (MCP)'],
  mcpHint: [
    'The address for Model Context Protocol clients. They ask you for access when they connect.',
    'Die Adresse für Clients des Model Context Protocol. Sie bitten dich beim Verbinden um Zugriff.',
  ],
  server: ['Server URL', 'Server-URL'],
  makeKey: ['Create an API key', 'API-Schlüssel anlegen'],
  authorized: ['Authorized devices and apps', 'Autorisierte Geräte und Apps'],
});
