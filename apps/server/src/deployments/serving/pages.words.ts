/** German texts of pages. Texts that are missing here are shown in English. */
export const inGerman: Record<string, string> = {
  'There is no app at this address': 'Unter dieser Adresse gibt es keine App',
  'This preview was retired': 'Diese Vorschau gibt es nicht mehr',
  'There is nothing at this address': 'Unter dieser Adresse gibt es nichts',
  'The service could not respond; try again in a moment':
    'Der Dienst konnte nicht antworten; versuche es gleich noch einmal',
  'This site accepts only GET and HEAD': 'Diese Seite beantwortet nur GET und HEAD',
  'The URL has an invalid percent-encoding': 'Die Adresse enthält eine Prozentkodierung, die sich nicht lesen lässt',
  'The app is already handling too many requests': 'Die App bearbeitet bereits zu viele Anfragen',
  'The app exited during the request': 'Die App wurde mitten in der Anfrage beendet',
  'The app does not start': 'Die App startet nicht',
  'The app does not respond': 'Die App antwortet nicht',
};

export const statusInGerman: Record<number, string> = {
  400: 'Ungültige Anfrage',
  404: 'Nicht gefunden',
  405: 'Methode nicht erlaubt',
  410: 'Nicht mehr vorhanden',
  500: 'Interner Fehler',
  502: 'Keine gültige Antwort',
  503: 'Nicht verfügbar',
  504: 'Zeit abgelaufen',
};
