const maxRemembered = 50;
const longestText = 1000;
const longestName = 40;

/** Everyone who is connected hears what anyone says, and who comes later hears the last of it. */
export function createRoom() {
  const guests = new Set();
  const said = [];
  let numbers = 0;

  const tell = (guest, message) => guest.connection.send(JSON.stringify(message));
  const tellAll = (message) => {
    for (const guest of guests) tell(guest, message);
  };
  const tellWho = () => tellAll({ type: 'present', names: [...guests].map(({ name }) => name) });

  function hear(guest, text) {
    const message = parse(text);
    if (message?.type === 'say' && typeof message.text === 'string' && message.text.trim() !== '') {
      const words = { type: 'said', name: guest.name, text: message.text.slice(0, longestText), at: new Date().toISOString() };
      said.push(words);
      if (said.length > maxRemembered) said.shift();
      tellAll(words);
    } else if (message?.type === 'name' && typeof message.name === 'string' && message.name.trim() !== '') {
      guest.name = message.name.trim().slice(0, longestName);
      tellWho();
    } else {
      tell(guest, { type: 'error', message: 'A message is {"type": "say", "text"} or {"type": "name", "name"}' });
    }
  }

  return {
    join(connection) {
      const guest = { connection, name: `Guest ${++numbers}` };
      guests.add(guest);
      connection.onMessage = (text) => hear(guest, text);
      connection.onClose = () => {
        guests.delete(guest);
        tellWho();
      };
      tell(guest, { type: 'welcome', name: guest.name, said });
      tellWho();
    },
    closeAll() {
      for (const { connection } of guests) connection.close(1001, 'The server stops');
    },
  };
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
