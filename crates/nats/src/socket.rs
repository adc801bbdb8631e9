//! A connection to a server, plain or encrypted. After the first line nothing here waits.

use crate::address::Address;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore};
use std::io::{self, Read as _, Write as _};
use std::net::{TcpStream, ToSocketAddrs as _};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Arc;
use std::time::Duration;

/// A server that does not answer in this time is not there.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);

/// Where systems keep the certificates that everybody trusts.
const SYSTEM_CERTIFICATES: [&str; 3] =
    ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"];

pub(crate) struct Socket {
    tcp: TcpStream,
    tls: Option<Box<ClientConnection>>,
}

impl Socket {
    /// Connects, without encryption.
    pub(crate) fn open(address: &Address) -> io::Result<Socket> {
        let mut last = io::Error::new(io::ErrorKind::NotFound, "the name has no address");
        for place in (address.host.as_str(), address.port).to_socket_addrs()? {
            match TcpStream::connect_timeout(&place, PATIENCE) {
                Ok(tcp) => {
                    tcp.set_nodelay(true)?;
                    tcp.set_read_timeout(Some(PATIENCE))?;
                    tcp.set_write_timeout(Some(PATIENCE))?;
                    return Ok(Socket { tcp, tls: None });
                }
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    /// Encrypts the connection, and checks the certificate of the server.
    pub(crate) fn encrypt(&mut self, host: &str, config: Arc<ClientConfig>) -> io::Result<()> {
        let name = ServerName::try_from(host.to_owned()).map_err(io::Error::other)?;
        let mut tls = ClientConnection::new(config, name).map_err(io::Error::other)?;
        while tls.is_handshaking() {
            tls.complete_io(&mut self.tcp)?;
        }
        self.tls = Some(Box::new(tls));
        Ok(())
    }

    /// From now on reads and writes that would wait return `WouldBlock`.
    pub(crate) fn stop_waiting(&self) -> io::Result<()> {
        self.tcp.set_nonblocking(true)
    }

    /// Reads some bytes. No bytes mean that the server has closed the connection.
    pub(crate) fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(tls) = &mut self.tls else { return self.tcp.read(buffer) };
        loop {
            match tls.reader().read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                read => return read,
            }
            if tls.read_tls(&mut self.tcp)? == 0 {
                return Ok(0);
            }
            tls.process_new_packets().map_err(io::Error::other)?;
        }
    }

    /// Writes some bytes, and returns how many were taken.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(tls) = &mut self.tls else { return self.tcp.write(bytes) };
        // What was encrypted earlier goes first, so that little is kept in memory.
        while tls.wants_write() {
            tls.write_tls(&mut self.tcp)?;
        }
        tls.writer().write(bytes)
    }

    /// Sends what was encrypted and not yet sent. True if nothing is left.
    pub(crate) fn flush(&mut self) -> io::Result<bool> {
        let Some(tls) = &mut self.tls else { return Ok(true) };
        while tls.wants_write() {
            match tls.write_tls(&mut self.tcp) {
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(false),
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }

    /// Writes everything, before [`Socket::stop_waiting`].
    pub(crate) fn write_all_blocking(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let taken = self.write(bytes)?;
            bytes = &bytes[taken..];
        }
        self.flush().map(drop)
    }
}

impl AsFd for Socket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.tcp.as_fd()
    }
}

/// Whom to trust: the certificates of this text, or those of the system.
pub(crate) fn tls_config(certificates: Option<&[u8]>) -> io::Result<Arc<ClientConfig>> {
    let mut roots = RootCertStore::empty();
    match certificates {
        Some(text) => {
            for certificate in CertificateDer::pem_slice_iter(text) {
                let certificate =
                    certificate.map_err(|error| io::Error::other(format!("the certificate: {error}")))?;
                roots.add(certificate).map_err(io::Error::other)?;
            }
        }
        None => {
            let found = SYSTEM_CERTIFICATES.iter().find_map(|path| std::fs::read(path).ok());
            let all = CertificateDer::pem_slice_iter(&found.unwrap_or_default())
                .flatten()
                .collect::<Vec<CertificateDer<'static>>>();
            roots.add_parsable_certificates(all);
        }
    }
    if roots.is_empty() {
        return Err(io::Error::other("no certificate of an authority is known; name a file of certificates"));
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?;
    Ok(Arc::new(config.with_root_certificates(roots).with_no_client_auth()))
}
