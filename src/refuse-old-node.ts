/** Loaded before anything else of the package, and kept in words an old Node can read: it says which Node is needed. */
const OLDEST_NODE = 24;

if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE)
  throw new Error(
    `NODE_TOO_OLD: Node ${OLDEST_NODE} or newer is needed; this is ${process.versions.node}. ` +
      'Install a newer Node, or add one to the project with: npm install --save-dev node@26',
  );
