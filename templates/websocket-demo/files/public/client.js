const state = document.getElementById('state');
const present = document.getElementById('present');
const said = document.getElementById('said');
const form = document.getElementById('say');
const text = document.getElementById('text');

let socket;
let tries = 0;

function connect() {
  const address = new URL('ws', location.href);
  address.protocol = address.protocol.replace('http', 'ws');
  socket = new WebSocket(address);
  socket.addEventListener('open', () => {
    tries = 0;
  });
  socket.addEventListener('message', ({ data }) => take(JSON.parse(data)));
  socket.addEventListener('close', () => {
    // A little longer each time, and not all at once after the server was away.
    const wait = Math.min(30_000, 500 * 2 ** tries++) * (0.5 + Math.random() / 2);
    state.textContent = 'Not connected; trying again…';
    setTimeout(connect, wait);
  });
}

function take(message) {
  if (message.type === 'welcome') {
    state.textContent = `You are ${message.name}.`;
    said.replaceChildren(...message.said.map(line));
  } else if (message.type === 'said') {
    said.append(line(message));
  } else if (message.type === 'present') {
    present.textContent = `Here: ${message.names.join(', ')}`;
  } else if (message.type === 'error') {
    state.textContent = message.message;
  }
}

// As text and never as HTML: the words are a stranger's.
function line({ name, text: words, at }) {
  const item = document.createElement('li');
  const time = document.createElement('time');
  time.dateTime = at;
  time.textContent = new Date(at).toLocaleTimeString();
  item.append(time, ` ${name}: ${words}`);
  return item;
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (text.value.trim() === '' || socket.readyState !== WebSocket.OPEN) return;
  socket.send(JSON.stringify({ type: 'say', text: text.value }));
  text.value = '';
});

connect();
