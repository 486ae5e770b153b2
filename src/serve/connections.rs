//! Each connection within bounds: so many at once, so long for a request to
//! arrive, so much memory for its head, so long for a reader to stall.

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_io_timeout::TimeoutStream;

/// Connections served at once; more of them wait to be accepted.
const MOST: usize = 256;
/// How long the head of a request may take, from the first byte or, on a
/// connection kept open, from the answer before it.
const HEAD: Duration = Duration::from_secs(5);
/// How long a reader may stall.
const STALL: Duration = Duration::from_secs(20);
/// The most memory for the head of a request, in bytes.
const BUFFER: usize = 16 * 1024;

/// Accepts and serves connections for ever.
pub(super) async fn serve(listener: TcpListener, routes: Router) -> io::Result<()> {
    let places = Arc::new(Semaphore::new(MOST));
    loop {
        let place = Arc::clone(&places)
            .acquire_owned()
            .await
            .map_err(io::Error::other)?;
        match listener.accept().await {
            Ok((stream, _)) => {
                let routes = routes.clone();
                tokio::spawn(async move {
                    connection(stream, routes).await;
                    drop(place);
                });
            }
            // Too many open files, or a client that left at once: both pass.
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}

async fn connection(stream: TcpStream, routes: Router) {
    // News are small and wanted at once.
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(STALL));
    // What goes wrong on a connection is the client's business.
    let _ = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .max_buf_size(BUFFER)
        .serve_connection(
            TokioIo::new(Box::pin(stream)),
            TowerToHyperService::new(routes),
        )
        .await;
}
