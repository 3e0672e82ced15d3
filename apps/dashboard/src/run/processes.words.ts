import { dictionary } from '../words/dictionary.ts';

export const processWords = dictionary('run/process', {
  processes: ['Processes', 'Prozesse'],
  command: ['Command', 'Befehl'],
  pid: ['PID', 'PID'],
  memory: ['Memory', 'Speicher'],
  cpu: ['CPU time', 'CPU-Zeit'],
  started: ['Started', 'Gestartet'],
  actions: ['Actions', 'Aktionen'],
  stop: ['Stop', 'Beenden'],
  kill: ['Kill', 'Sofort beenden'],
  none: ['No process is running', 'Kein Prozess läuft'],
  noneHint: [
    'Programs that you start in a terminal appear here.',
    'Programme, die du in einem Terminal startest, erscheinen hier.',
  ],
});
