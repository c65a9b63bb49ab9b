// Runs in a page before anything of it and tells the bench when what it looks for was painted. A frame is drawn after the
// callbacks of that frame; the first task after them comes when it is on its way to the screen.
(() => {
  const LOOKS = { heading: 'h1', node: '[data-node]' };
  const seen = new Set();
  const now = () => performance.timeOrigin + performance.now();
  const tell = (note) => tellBench(JSON.stringify(note));

  const painted = (note) =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => tell({ ...note, at: now(), ms: performance.now() });
      port2.postMessage(null);
    });

  const look = () => {
    for (const [what, selector] of Object.entries(LOOKS)) {
      if (seen.has(what) || document.querySelector(selector) === null) continue;
      seen.add(what);
      painted({ what });
    }
  };

  const changed = ({ type, target }) => {
    if (type === 'characterData') painted({ what: 'update', text: target.data });
    if (type === 'attributes' && target.dataset.node !== undefined && target.dataset.status === 'active')
      painted({ what: 'update', text: target.dataset.node });
  };

  new MutationObserver((changes) => {
    look();
    for (const change of changes) changed(change);
  }).observe(document, {
    subtree: true,
    childList: true,
    characterData: location.pathname === '/empty',
    attributeFilter: ['data-status'],
  });

  // Every batch that a page hears is handed on to its other tabs: that is when it has come.
  const { prototype } = BroadcastChannel;
  const post = Reflect.get(prototype, 'postMessage');
  prototype.postMessage = function (message) {
    const records = message?.kind === 'batch' ? message.batch.records : [];
    const entered = records.findLast(({ record }) => record.fact.kind === 'state.entered');
    if (entered !== undefined) tell({ what: 'heard', text: entered.record.fact.state, at: now() });
    return post.call(this, message);
  };
})();
