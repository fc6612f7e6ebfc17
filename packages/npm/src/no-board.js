// The board needs a browser; a server that draws pages may import it all the same.
export default null;
